//! A job for a page: a JSON description, followed by the bytes to which the description refers.

use serde_json::{Value, json};

/// The bytes to which a job's JSON description refers.
#[derive(Default)]
pub struct Bytes(Vec<u8>);

impl Bytes {
    /// Appends bytes at a multiple of 4, and returns their position in the form that the description contains.
    pub fn add(&mut self, bytes: &[u8]) -> Value {
        self.0.resize(self.0.len().next_multiple_of(4), 0);
        let offset = self.0.len();
        self.0.extend_from_slice(bytes);
        json!([offset, bytes.len()])
    }

    pub(super) fn add_words(&mut self, words: &[u32]) -> Value {
        self.add(&super::super::interface::bytes(words))
    }

    /// Assembles the job: the length of the description, the description, and the bytes, which begin at the next multiple of 4.
    ///
    /// # Errors
    /// Returns an error if the length of the description does not fit in a word.
    pub fn job(self, description: &Value) -> Result<Vec<u8>, String> {
        let description = description.to_string().into_bytes();
        let length = u32::try_from(description.len()).map_err(|_| "the description is too long".to_string())?;
        let mut job = length.to_le_bytes().to_vec();
        job.extend(description);
        job.resize(job.len().next_multiple_of(4), 0);
        job.extend(self.0);
        Ok(job)
    }
}
