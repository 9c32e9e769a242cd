"""Writers of package layouts, one file each."""
