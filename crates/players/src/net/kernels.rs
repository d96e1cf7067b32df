//! The loops of a net, compiled for each instruction set from one source.
//!
//! Every operation is on integers that wrap, so all versions return identical numbers. The loops work on blocks of 32
//! numbers of a fixed length, which the compiler turns into vector instructions of the enabled width: AVX-512, AVX2, or
//! what the target always has (NEON on ARM).
//!
//! # Safety
//! The only unsafe operations are the calls of functions that need an instruction set. [`Kernels::detect`] makes a value
//! only after detecting the set, so code that has the value may call them.
#![allow(unsafe_code, reason = "functions for detected instruction sets")]

/// The numbers that a loop handles at once.
pub(super) const BLOCK: usize = 32;
/// The activation of a neuron that is fully on.
pub(super) const ONE: i16 = 255;

/// The best instruction set of this machine. A value other than `Portable` proves that the set was detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kernels(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "x86 has run-time detection"))]
enum Set {
    Portable,
    Avx2,
    Avx512,
}

impl Kernels {
    /// The instructions that the target always has.
    #[cfg(test)]
    pub(super) const PORTABLE: Kernels = Kernels(Set::Portable);

    /// Detects the best instruction set.
    pub(super) fn detect() -> Self {
        Self::all().pop().unwrap_or(Kernels(Set::Portable))
    }

    /// Returns all instruction sets of this machine, the best one last.
    pub(super) fn all() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut, reason = "x86 adds to it"))]
        let mut sets = vec![Kernels(Set::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                sets.push(Kernels(Set::Avx2));
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
            {
                sets.push(Kernels(Set::Avx512));
            }
        }
        sets
    }

    /// Adds rows of weights to `sums` and subtracts others. Rows have the length of `sums`, a multiple of [`BLOCK`].
    pub(super) fn update(
        self,
        from: &[i16],
        sums: &mut [i16],
        weights: &[i16],
        add: &[u16],
        subtract: &[u16],
    ) {
        match self.0 {
            // SAFETY: the value proves that the instruction set was detected.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { update_avx512(from, sums, weights, add, subtract) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { update_avx2(from, sums, weights, add, subtract) },
            _ => update(from, sums, weights, add, subtract),
        }
    }

    /// Returns the sum of squared activations times weights. The lengths are equal and a multiple of [`BLOCK`].
    pub(super) fn output(self, sums: &[i16], weights: &[i8]) -> i32 {
        match self.0 {
            // SAFETY: the value proves that the instruction set was detected.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { output_avx512(sums, weights) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { output_avx2(sums, weights) },
            _ => output(sums, weights),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn update_avx512(from: &[i16], sums: &mut [i16], weights: &[i16], add: &[u16], subtract: &[u16]) {
    update(from, sums, weights, add, subtract);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn update_avx2(from: &[i16], sums: &mut [i16], weights: &[i16], add: &[u16], subtract: &[u16]) {
    update(from, sums, weights, add, subtract);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn output_avx512(sums: &[i16], weights: &[i8]) -> i32 {
    output(sums, weights)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn output_avx2(sums: &[i16], weights: &[i8]) -> i32 {
    output(sums, weights)
}

#[expect(clippy::inline_always, reason = "each caller compiles it for its instruction set")]
#[inline(always)]
fn update(from: &[i16], sums: &mut [i16], weights: &[i16], add: &[u16], subtract: &[u16]) {
    let hidden = sums.len();
    let (from, sums) = (from.as_chunks::<BLOCK>().0, sums.as_chunks_mut::<BLOCK>().0);
    for (block, (from, to)) in from.iter().zip(sums).enumerate() {
        let row = |input: &u16| -> &[i16; BLOCK] {
            let first = usize::from(*input) * hidden + block * BLOCK;
            weights[first..].first_chunk().expect("every input has a row")
        };
        let mut sum = *from;
        for row in add.iter().map(row) {
            for (sum, weight) in sum.iter_mut().zip(row) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        for row in subtract.iter().map(row) {
            for (sum, weight) in sum.iter_mut().zip(row) {
                *sum = sum.wrapping_sub(*weight);
            }
        }
        *to = sum;
    }
}

/// The products of activations and weights fit 16 bits, because activations are at most 255 and weights at most 127.
#[expect(clippy::inline_always, reason = "each caller compiles it for its instruction set")]
#[inline(always)]
fn output(sums: &[i16], weights: &[i8]) -> i32 {
    let mut lanes = [0i32; BLOCK];
    for (sums, weights) in sums.as_chunks::<BLOCK>().0.iter().zip(weights.as_chunks::<BLOCK>().0) {
        for lane in 0..BLOCK {
            let on = sums[lane].clamp(0, ONE);
            let product = on.wrapping_mul(i16::from(weights[lane]));
            lanes[lane] = lanes[lane].wrapping_add(i32::from(product) * i32::from(on));
        }
    }
    lanes.into_iter().fold(0, i32::wrapping_add)
}
