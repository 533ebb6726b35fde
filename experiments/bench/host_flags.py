"""Which vector extensions this host has, and which it hides from a CPU of that name."""
import pathlib

VECTOR = ("avx", "amx", "fma", "gfni", "vaes", "vpclmul", "f16c")


def cpu_flags(text=None):
    """Of the first CPU in /proc/cpuinfo."""
    text = pathlib.Path("/proc/cpuinfo").read_text() if text is None else text
    lines = (line.partition(":") for line in text.splitlines())
    return next((flags.split() for name, _, flags in lines if name.strip() == "flags"), [])


def hidden_features(features, flags):
    """Of the features that LLVM ascribes to a CPU by its name, the vector extensions that are not
    among the flags, which are the same but for their dashes."""
    def bare(name):
        return name.replace("-", "").replace("_", "")

    known = {bare(flag) for flag in flags}
    return sorted(name for name in features if name.startswith(VECTOR) and bare(name) not in known)
