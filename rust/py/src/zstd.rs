//! Zstandard, which Python reads from version 3.14 on only.

use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

/// Bytes that are unpacked at a time.
const ROOM: usize = 1 << 17;

/// Bytes that are handed over at a time, however small they are when packed.
const MOST: usize = 1 << 20;

/// What is packed, unpacked piece by piece.
#[pyclass(frozen, module = "treewright._core")]
pub struct ZstdDecoder {
    inner: Mutex<State>,
}

struct State {
    decoder: Decoder<'static>,
    /// Bytes that the frame needs next; 0 at the end of one.
    needed: usize,
}

#[pymethods]
impl ZstdDecoder {
    #[new]
    fn new() -> PyResult<Self> {
        let decoder = Decoder::new()?;
        Ok(ZstdDecoder { inner: Mutex::new(State { decoder, needed: 0 }) })
    }

    /// Unpack some of the next bytes, and say how many; none say that there are no more.
    fn decode<'py>(&self, py: Python<'py>, packed: &[u8]) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        let unpacked = py.detach(|| {
            let mut state = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            state.unpacked(packed).map(|(unpacked, n)| (unpacked, n, state.needed > 0))
        });
        let (unpacked, n_taken, is_open) =
            unpacked.map_err(|error| PyValueError::new_err(error.to_string()))?;
        if packed.is_empty() && unpacked.is_empty() && is_open {
            return Err(PyValueError::new_err("the end of the file is missing"));
        }
        Ok((PyBytes::new(py, &unpacked), n_taken))
    }
}

impl State {
    fn unpacked(&mut self, packed: &[u8]) -> std::io::Result<(Vec<u8>, usize)> {
        let (mut unpacked, mut input) = (Vec::new(), InBuffer::around(packed));
        let mut room = vec![0; ROOM];
        while input.pos() < packed.len() || self.needed > 0 {
            let was_at = input.pos();
            let mut output = OutBuffer::around(&mut room[..]);
            self.needed = self.decoder.run(&mut input, &mut output)?;
            let n = output.pos();
            unpacked.extend_from_slice(&room[..n]);
            if n == 0 && input.pos() == was_at || unpacked.len() >= MOST {
                break;
            }
        }
        Ok((unpacked, input.pos()))
    }
}
