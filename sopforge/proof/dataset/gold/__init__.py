"""Orders a task's gold calls, and determines which calls are needed and what decided the case."""
