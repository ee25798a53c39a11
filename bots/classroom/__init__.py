"""The algorithms of class: one module for each family, as the class documents describe them."""
