"""From the model to text, purely: the SOP, the API, the toolspecs and the tools module."""
