"""What people see and decide at the gates."""
