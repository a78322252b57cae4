"""How entries get to the disk: in a thread of the server, or in a process of their own."""
