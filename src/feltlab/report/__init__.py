"""Reports: a document is a value, and every rendering is made from that one value."""
