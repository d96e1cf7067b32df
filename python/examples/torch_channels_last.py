"""Shares planes with PyTorch without copying, and expands compact observations on any device.

Run it as `python python/examples/torch_channels_last.py`. It requires PyTorch: `pip install tabiya[torch]`.
"""

import sys
from typing import Any

import numpy as np

import tabiya

try:
    # PyTorch may not be installed when this file is type-checked.
    import torch  # type: ignore[import-not-found, unused-ignore]
except ImportError:
    sys.exit("this example requires PyTorch: pip install tabiya[torch]")

GAMES = 64


def shared_memory(env: tabiya.BatchEnv, planes: Any) -> None:
    """Uses one array and one tensor for the whole run; `observe` fills both."""
    shared = torch.from_numpy(planes)
    assert shared.data_ptr() == planes.ctypes.data
    # Planes come last in memory, which PyTorch calls channels_last: only the dimensions are permuted.
    batch = shared.permute(0, 3, 1, 2)
    assert batch.data_ptr() == planes.ctypes.data
    assert batch.is_contiguous(memory_format=torch.channels_last)
    assert batch.contiguous(memory_format=torch.channels_last).data_ptr() == planes.ctypes.data
    # The same through DLPack, which other array libraries also support.
    borrowed = torch.from_dlpack(planes)
    assert borrowed.data_ptr() == planes.ctypes.data
    env.step(env.sample())
    env.observe(out=planes)
    assert np.array_equal(batch.numpy(), env.observe().transpose(0, 3, 1, 2)), "the tensor has the new planes"
    # A convolution accepts the batch directly.
    layer = torch.nn.Conv2d(planes.shape[3], 8, 3, padding=1).to(memory_format=torch.channels_last)
    with torch.no_grad():
        assert tuple(layer(batch).shape) == (GAMES, 8, *planes.shape[1:3])


def expanded(planes: Any, repetitions: Any) -> Any:
    """Expands compact observations to `(n, 18, 8, 8)` on their device: 145 bytes per game are transferred instead of 4,608."""
    cells = torch.arange(64, device=planes.device)
    full = ((planes[:, :, None] >> cells) & 1).to(torch.float32)
    # The repetition plane holds thirds.
    full[:, 12] *= repetitions[:, None].to(torch.float32) / 3
    return full.reshape(-1, 18, 8, 8)


def compact_form(env: tabiya.BatchEnv, device: str) -> None:
    """Moves compact observations to the device and expands them there."""
    for _ in range(40):
        env.step(env.sample())
    sets, repetitions = env.observe_compact()
    # PyTorch only shifts signed integers; the bits are the same.
    planes = torch.from_numpy(sets.view(np.int64)).to(device)
    full = expanded(planes, torch.from_numpy(repetitions).to(device))
    expected = tabiya.expand(sets, repetitions).transpose(0, 3, 1, 2)
    assert np.array_equal(full.cpu().numpy(), expected)


def main() -> None:
    """Runs both parts."""
    env = tabiya.BatchEnv("chess", GAMES, seed=1)
    planes = np.zeros((GAMES, *env.observation_shape), np.float32)
    shared_memory(env, planes)
    print(f"{planes.nbytes:,} bytes of planes are shared with PyTorch, channels last, without a copy")
    for device in ["cpu", "cuda"] if torch.cuda.is_available() else ["cpu"]:
        compact_form(env, device)
        print(f"compact observations expand to the same planes on {device}")


if __name__ == "__main__":
    main()
