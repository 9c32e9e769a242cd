"""Makes sentences, tools and values of the people, systems and papers that a trade has."""
