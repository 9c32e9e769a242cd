"""What commands show: tables, progress and live views."""
