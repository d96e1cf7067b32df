"""Planes for PyTorch without a copy, and the small form of them expanded on any device.

Run it as `python python/examples/torch_channels_last.py`; it needs PyTorch: `pip install tabiya[torch]`.
"""

import sys
from typing import Any

import numpy as np

import tabiya

try:
    # Where PyTorch is not installed there are no types of it either.
    import torch  # type: ignore[import-not-found, unused-ignore]
except ImportError:
    sys.exit("this example needs PyTorch, which is not installed: pip install tabiya[torch]")

GAMES = 64


def same_memory(env: tabiya.BatchEnv, planes: Any) -> None:
    """One array and one tensor for the whole run: `observe` fills the one, and the other has it."""
    shared = torch.from_numpy(planes)
    assert shared.data_ptr() == planes.ctypes.data
    # Planes come last, so what PyTorch calls channels_last is what is there already: only the sizes change places.
    batch = shared.permute(0, 3, 1, 2)
    assert batch.data_ptr() == planes.ctypes.data
    assert batch.is_contiguous(memory_format=torch.channels_last)
    assert batch.contiguous(memory_format=torch.channels_last).data_ptr() == planes.ctypes.data
    # The same by DLPack, as every library of arrays knows it.
    lent = torch.from_dlpack(planes)
    assert lent.data_ptr() == planes.ctypes.data
    env.step(env.sample())
    env.observe(out=planes)
    assert np.array_equal(batch.numpy(), env.observe().transpose(0, 3, 1, 2)), "the tensor has the new planes"
    # A convolution takes them as they are.
    layer = torch.nn.Conv2d(planes.shape[3], 8, 3, padding=1).to(memory_format=torch.channels_last)
    with torch.no_grad():
        assert tuple(layer(batch).shape) == (GAMES, 8, *planes.shape[1:3])


def expanded(planes: Any, repetitions: Any) -> Any:
    """Tensors `(n, 18, 8, 8)` of sets of cells, wherever the sets are: 145 bytes of each game travel instead of 4,608."""
    cells = torch.arange(64, device=planes.device)
    full = ((planes[:, :, None] >> cells) & 1).to(torch.float32)
    # One plane is not 0 or 1: how often the position has been there, of three times.
    full[:, 12] *= repetitions[:, None].to(torch.float32) / 3
    return full.reshape(-1, 18, 8, 8)


def small_form(env: tabiya.BatchEnv, device: str) -> None:
    """The sets go to the device, and are expanded there."""
    for _ in range(40):
        env.step(env.sample())
    sets, repetitions = env.observe_compact()
    # PyTorch can shift numbers with a sign only; the bits are the same.
    planes = torch.from_numpy(sets.view(np.int64)).to(device)
    full = expanded(planes, torch.from_numpy(repetitions).to(device))
    wanted = tabiya.expand(sets, repetitions).transpose(0, 3, 1, 2)
    assert np.array_equal(full.cpu().numpy(), wanted)


def main() -> None:
    """Shows both, and says so."""
    env = tabiya.BatchEnv("chess", GAMES, seed=1)
    planes = np.zeros((GAMES, *env.observation_shape), np.float32)
    same_memory(env, planes)
    print(f"{planes.nbytes:,} bytes of planes are shared with PyTorch, channels last, and never copied")
    for device in ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]:
        small_form(env, device)
        print(f"the small form is expanded on {device}: the same planes")


if __name__ == "__main__":
    main()
