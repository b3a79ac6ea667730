"""What a witness is held against: the text of its claim, and a route to the truth of its own."""
