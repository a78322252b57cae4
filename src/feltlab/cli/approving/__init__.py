"""Commands about approvals, and about the accounts of those who give them."""
