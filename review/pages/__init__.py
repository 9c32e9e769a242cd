"""What domain experts see of each stage's artifact: one module for each stage."""
