"""Write-once versions of stage artifacts, and the decisions that people made about them."""
