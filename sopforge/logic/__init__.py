"""One logic, several readings: what an expression means to each of its interpreters."""
