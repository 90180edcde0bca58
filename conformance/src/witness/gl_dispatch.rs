//! One dispatch on OpenGL: upload, run, read the storage buffers back.

use std::collections::BTreeMap;

use glow::HasContext;
use sdlbc::FunctionKind;

use super::gl::{OpenGl, Text};
use super::interface::{Interface, Storage, add_uniforms, bytes};
use crate::Failure;
use crate::dispatch::{Buffers, Dispatch, Dispatcher, given};

impl Dispatcher for OpenGl {
    fn name(&self) -> String {
        crate::Witness::name(self)
    }

    fn dispatch(&mut self, dispatch: &Dispatch) -> Result<Buffers, Failure> {
        self.context.make_current().map_err(Failure::Broken)?;
        let interface = Interface::of_compute(&dispatch.module)?;
        // In our own text the binding point is the slot; in that of spirv-cross it is the place in the interface.
        let point = |place: usize, storage: &Storage| match self.text() {
            Text::Cross => place as u32,
            _ => storage.slot,
        };
        let points: Vec<u32> =
            interface.buffers.iter().enumerate().map(|(place, storage)| point(place, storage)).collect();
        // SAFETY: the context is current.
        let [most, blocks] = [glow::MAX_SHADER_STORAGE_BUFFER_BINDINGS, glow::MAX_COMPUTE_SHADER_STORAGE_BLOCKS]
            .map(|limit| unsafe { self.context.gl.get_parameter_i32(limit) } as u32);
        if points.iter().any(|point| *point >= most) || points.len() > blocks as usize {
            return Err(Failure::Unsupported(format!("more storage buffers than {} has", self.adapter())));
        }
        let (program, _) = self.linked(&dispatch.module, &interface, &[FunctionKind::Compute])?;
        let mut data = Vec::new();
        let uniforms = add_uniforms(&mut data, &interface, &dispatch.resources, self.two_rows());
        let contents: Vec<Vec<u8>> =
            interface.buffers.iter().map(|buffer| bytes(&given(&dispatch.resources, buffer.slot))).collect();
        let mut buffers = BTreeMap::new();
        // SAFETY: the context is current, and the buffers are as long as what is read from them.
        unsafe {
            self.bind_read(&interface, &dispatch.resources, &data, &uniforms)?;
            let gl = &self.context.gl;
            let mut made = Vec::new();
            for (&point, content) in points.iter().zip(&contents) {
                let buffer = gl.create_buffer().map_err(Failure::Broken)?;
                gl.bind_buffer(glow::SHADER_STORAGE_BUFFER, Some(buffer));
                gl.buffer_data_u8_slice(glow::SHADER_STORAGE_BUFFER, content, glow::STREAM_COPY);
                gl.bind_buffer_base(glow::SHADER_STORAGE_BUFFER, point, Some(buffer));
                made.push(buffer);
            }
            let [x, y, z] = dispatch.workgroups;
            gl.dispatch_compute(x, y, z);
            gl.memory_barrier(glow::BUFFER_UPDATE_BARRIER_BIT);
            for ((storage, buffer), mut content) in interface.buffers.iter().zip(&made).zip(contents) {
                gl.bind_buffer(glow::SHADER_STORAGE_BUFFER, Some(*buffer));
                gl.get_buffer_sub_data(glow::SHADER_STORAGE_BUFFER, 0, &mut content);
                let words = content.as_chunks().0.iter().map(|&word| u32::from_ne_bytes(word)).collect();
                buffers.insert(storage.slot, words);
            }
            made.into_iter().for_each(|buffer| gl.delete_buffer(buffer));
            gl.delete_program(program);
            match gl.get_error() {
                glow::NO_ERROR => Ok(buffers),
                error => Err(Failure::Broken(format!("{}: OpenGL's error 0x{error:x}", self.adapter()))),
            }
        }
    }
}
