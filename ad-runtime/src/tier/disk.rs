//! Pages in a file.

use std::fs::File;
use std::io;
use std::path::Path;

use super::Tier;

/// Pages in a temporary file that has no name: nothing is left of it when the process ends, however it ends.
///
/// Written and read past the page cache (`O_DIRECT`) where the file system can, so that spilled pages do not
/// push the program's own files out of memory.
#[derive(Debug)]
pub struct DiskTier {
    file: File,
    direct: bool,
}

impl DiskTier {
    /// A file in the directory `dir`, which must have a name, exist and be writable.
    ///
    /// # Errors
    ///
    /// If the file cannot be created.
    pub fn new(dir: impl AsRef<Path>) -> io::Result<Self> {
        if dir.as_ref().as_os_str().is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "the directory has no name; the current one is `.`",
            ));
        }
        let file = tempfile::tempfile_in(dir)?;
        let direct = set_direct(&file, true);
        Ok(Self { file, direct })
    }

    /// Whether the file is read and written past the page cache.
    #[must_use]
    pub fn is_direct(&self) -> bool {
        self.direct
    }

    /// Runs an operation; once without `O_DIRECT` if the file system turns out not to have it.
    fn with_fallback(
        &mut self,
        mut operation: impl FnMut(&File) -> io::Result<()>,
    ) -> io::Result<()> {
        match operation(&self.file) {
            Err(error) if self.direct && error.kind() == io::ErrorKind::InvalidInput => {
                set_direct(&self.file, false);
                self.direct = false;
                operation(&self.file)
            }
            outcome => outcome,
        }
    }
}

impl Tier for DiskTier {
    fn write(&mut self, at: u64, page: &[u8]) -> io::Result<()> {
        self.with_fallback(|file| write_at(file, page, at))
    }

    fn read(&mut self, at: u64, page: &mut [u8]) -> io::Result<()> {
        self.with_fallback(|file| read_at(file, page, at))
    }

    fn free(&mut self, at: u64) -> io::Result<()> {
        self.file.set_len(at)
    }
}

#[cfg(target_os = "linux")]
fn set_direct(file: &File, direct: bool) -> bool {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

    let set = || {
        let mut flags = fcntl_getfl(file)?;
        flags.set(OFlags::DIRECT, direct);
        fcntl_setfl(file, flags)
    };
    set().is_ok() && direct
}

#[cfg(not(target_os = "linux"))]
fn set_direct(_file: &File, _direct: bool) -> bool {
    false
}

#[cfg(unix)]
fn write_at(file: &File, page: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, page, at)
}

#[cfg(unix)]
fn read_at(file: &File, page: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, page, at)
}

#[cfg(not(unix))]
fn write_at(mut file: &File, page: &[u8], at: u64) -> io::Result<()> {
    use std::io::{Seek, SeekFrom, Write};

    file.seek(SeekFrom::Start(at))?;
    file.write_all(page)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, page: &mut [u8], at: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};

    file.seek(SeekFrom::Start(at))?;
    file.read_exact(page)
}
