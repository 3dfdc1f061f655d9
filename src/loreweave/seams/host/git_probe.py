"""Whether git is there."""

import shutil
import subprocess


def git_version() -> str | None:
    """Its version, such as 2.39.5; nothing where there is none that runs."""
    file = shutil.which("git")
    if file is None:
        return None
    try:
        told = subprocess.run([file, "--version"], capture_output=True, text=True, timeout=10, check=True, env={})
    except (OSError, subprocess.SubprocessError):
        return None
    return told.stdout.strip().removeprefix("git version ").partition(" ")[0] or None
