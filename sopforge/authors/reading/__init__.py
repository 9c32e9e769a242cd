"""What a language model reads in an SOP, compared with the model."""
