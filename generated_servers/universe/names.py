"""Common given names and family names, by the country people live in. Combined at random: nobody real is meant."""

from __future__ import annotations

NAMES: dict[str, tuple[str, str]] = {
    "Denmark": (
        "Freja Mads Ida Rasmus Signe Jeppe Astrid Anders Katrine Emil Mette Søren Line Kasper Amalie Jonas",
        "Nielsen Jensen Hansen Holm Kjær Lund Møller Bruun Winther Dahl Friis Krogh",
    ),
    "Norway": (
        "Ingrid Lars Solveig Henrik Marit Sindre Tuva Eirik Silje Ola Kari Magnus Nora Trygve",
        "Hansen Berg Haugen Solberg Lie Strand Bakken Moen Nygård Dahl Aas",
    ),
    "Sweden": (
        "Elsa Oskar Linnea Gustav Maja Viktor Ebba Axel Karin Nils Saga Hugo",
        "Lindqvist Andersson Nyström Ek Sandberg Lund Björk Holm Forsberg Wallin",
    ),
    "Finland": ("Aino Mikko Helmi Juhani Venla Eero Sanni Antti", "Korhonen Virtanen Mäkinen Laine Heikkinen Salo"),
    "Iceland": ("Katrín Jón Birta Sigurður Edda Aron", "Stefánsson Hallgrímsson Magnúsdóttir Einarsdóttir"),
    "United Kingdom": (
        "Olivia George Amelia Harry Grace Oliver Priya Callum Imogen Tariq Beth Rhys Fiona Dev Maisie Edward",
        "Whitfield Clarke Patel Hughes Murray Okafor Bennett Shaw Ahmed Fletcher Sinclair Reid",
    ),
    "Ireland": ("Aoife Cian Niamh Declan Orla Ronan Saoirse Fergal", "Byrne Kelly Doyle Murphy Nolan Keane"),
    "Netherlands": ("Sanne Daan Femke Bram Lotte Thijs Anouk Ruben", "de~Vries Bakker Visser Smit Mulder Jansen"),
    "Belgium": ("Elise Lucas Noor Wout Camille Arne", "Peeters Maes Dubois Claes Lambert"),
    "France": ("Camille Hugo Léa Antoine Manon Julien Inès Mathieu", "Moreau Laurent Girard Fontaine Mercier Dubois"),
    "Germany": (
        "Lena Jonas Hannah Felix Clara Moritz Anke Stefan Miriam Yusuf",
        "Schneider Weber Krüger Vogel Hartmann Yilmaz Brandt Keller",
    ),
    "Switzerland": ("Nina Luca Selina Reto Mia Beat", "Keller Meier Frei Baumann Schmid"),
    "Austria": ("Anna Lukas Theresa Florian Magdalena Paul", "Gruber Huber Steiner Pichler Moser"),
    "Czechia": ("Tereza Jakub Eliška Ondřej Veronika Petr", "Novák Dvořák Černý Horák Beneš"),
    "Poland": ("Zofia Jan Hanna Piotr Maja Tomasz Alicja Marek", "Nowak Kowal Mazur Krawczyk Zając Wilk"),
    "Hungary": ("Eszter Bence Réka Máté Zsófia Gergő", "Nagy Kovács Szabó Varga Molnár"),
    "Greece": ("Eleni Nikos Maria Giorgos Katerina Dimitris", "Papadakis Vlahos Georgiou Nikolaidis Pappas"),
    "Italy": ("Giulia Marco Chiara Luca Francesca Davide Elena Matteo", "Rossi Conti Marino Greco Ferri Galli"),
    "Spain": ("Lucía Pablo Marta Diego Carmen Álvaro Sara Javier", "García Romero Navarro Torres Molina Vidal"),
    "Portugal": ("Inês Tiago Beatriz João Mariana Rui", "Ferreira Costa Almeida Sousa Pinto"),
    "Turkey": ("Elif Emre Zeynep Kerem Defne Baran", "Yilmaz Demir Kaya Aydin Arslan"),
    "United States": (
        "Emma Noah Ava Ethan Sofia Marcus Hannah Tyler Naomi Carlos Grace Daniel Mei Jamal Rachel Kevin",
        "Miller Johnson Rivera Nguyen Cohen Brooks Kim Sullivan Ramirez Carter Hughes Murphy",
    ),
    "Canada": ("Chloe Liam Amélie Nathan Zoe Owen", "Tremblay Singh MacDonald Chen Roy Campbell"),
    "Japan": ("Yuki Haruto Sakura Kenji Aoi Takumi", "Sato Tanaka Suzuki Mori Ishikawa"),
    "Singapore": ("Wei Mei Jun Arjun Xin Farid", "Tan Lim Ng Lee Rahman"),
    "United Arab Emirates": ("Layla Omar Noura Khalid Sara Yousef", "Haddad Farouk Mansour Saleh Qasim"),
}
"""Country → given names, family names; `~` stands for a space inside a name."""


def given(country: str) -> list[str]:
    """Given names common in that country."""
    return NAMES[country][0].split()


def family(country: str) -> list[str]:
    """Family names common in that country."""
    return [name.replace("~", " ") for name in NAMES[country][1].split()]
