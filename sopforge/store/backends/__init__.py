"""Where a store lies: a local folder, or a bucket of S3."""
