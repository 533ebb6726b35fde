"""Writes the glyphs that pictures are lettered with: make_font.py FILE.

They are DejaVu Sans Mono's, as Matplotlib brings it, drawn by Pillow at one size in black and white.
"""
import base64
import pathlib
import sys
import textwrap

import matplotlib
from PIL import Image, ImageDraw, ImageFont

SIZE, WIDTH, HEIGHT = 12, 7, 14
FIRST, LAST = 32, 126


def glyphs():
    """A byte for each row of each character, the leftmost pixel in the highest bit."""
    folder = pathlib.Path(matplotlib.get_data_path(), "fonts/ttf")
    font = ImageFont.truetype(str(folder / "DejaVuSansMono.ttf"), SIZE)
    rows = bytearray()
    for code in range(FIRST, LAST + 1):
        image = Image.new("1", (8, HEIGHT))
        ImageDraw.Draw(image).text((0, 0), chr(code), fill=1, font=font)
        rows += image.tobytes()
    return bytes(rows)


def main():
    """Writes the module."""
    text = textwrap.fill(base64.b85encode(glyphs()).decode(), 88)
    lines = "\n".join(f"    {line!r}" for line in text.splitlines())
    pathlib.Path(sys.argv[1]).write_text(
        '"""Glyphs of the printable characters; made by bindings/make_font.py."""\n'
        f"FIRST, WIDTH, HEIGHT = {FIRST}, {WIDTH}, {HEIGHT}\n"
        f"# A byte for each row of each character, in base 85.\nROWS = (\n{lines})\n")


if __name__ == "__main__":
    main()
