//! OpenGL without a window, in EGL contexts that have no surface.
//!
//! Rule: a context belongs to one witness. The context stays current in the thread that draws with it until that thread needs
//! another context.

use std::sync::OnceLock;

use khronos_egl as egl;

use super::mesa::{ADAPTER, switch};

type Egl = egl::DynamicInstance<egl::EGL1_5>;

/// EGL constants that the crate `khronos_egl` does not define (EGL_MESA_platform_surfaceless, EGL_EXT_platform_device).
const PLATFORM_SURFACELESS: egl::Enum = 0x31DD;
const PLATFORM_DEVICE: egl::Enum = 0x313F;

const PACKAGES: &str = "install the packages libegl1 and libgl1-mesa-dri (for OpenGL ES also libgles2)";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Api {
    Core(i32, i32),
    Es3,
}

pub(super) struct Context {
    display: egl::Display,
    context: egl::Context,
    api: Api,
    pub(super) gl: glow::Context,
    pub(super) renderer: String,
}

impl Drop for Context {
    fn drop(&mut self) {
        if let Ok(egl) = egl() {
            _ = egl.make_current(self.display, None, None, None);
            _ = egl.destroy_context(self.display, self.context);
        }
    }
}

impl Context {
    /// Creates a context on Mesa's software device, or on the device that the environment variable [`ADAPTER`] names.
    pub(super) fn new(api: Api) -> Result<Context, String> {
        switch();
        let Ok(part) = std::env::var(ADAPTER) else {
            // SAFETY: the surfaceless platform has no native display.
            let display =
                unsafe { egl()?.get_platform_display(PLATFORM_SURFACELESS, egl::DEFAULT_DISPLAY, &[egl::ATTRIB_NONE]) };
            let display =
                display.map_err(|error| format!("EGL has no display without a surface ({error}): {PACKAGES}"))?;
            return Context::on(display, api);
        };
        let part = part.to_lowercase();
        let mut others = Vec::new();
        for device in devices()? {
            // SAFETY: EGL listed the device.
            let display = unsafe { egl()?.get_platform_display(PLATFORM_DEVICE, device, &[egl::ATTRIB_NONE]) };
            let context = display.map_err(|error| error.to_string()).and_then(|display| Context::on(display, api));
            match context {
                Ok(context) if context.renderer.to_lowercase().contains(&part) => return Ok(context),
                Ok(context) => others.push(context.renderer.clone()),
                Err(error) => others.push(error),
            }
        }
        Err(format!("no OpenGL device has `{part}` in its name; there are {others:?}"))
    }

    fn on(display: egl::Display, api: Api) -> Result<Context, String> {
        let egl = egl()?;
        let failed = |what: &'static str| move |error: egl::Error| format!("EGL: {what}: {error}: {PACKAGES}");
        egl.initialize(display).map_err(failed("the display cannot be initialised"))?;
        let (name, bit, attributes) = match api {
            Api::Core(major, minor) => {
                let core = [egl::CONTEXT_OPENGL_PROFILE_MASK, egl::CONTEXT_OPENGL_CORE_PROFILE_BIT];
                let version = [egl::CONTEXT_MAJOR_VERSION, major, egl::CONTEXT_MINOR_VERSION, minor];
                (egl::OPENGL_API, egl::OPENGL_BIT, [&version[..], &core, &[egl::NONE]].concat())
            }
            Api::Es3 => (egl::OPENGL_ES_API, egl::OPENGL_ES3_BIT, vec![egl::CONTEXT_MAJOR_VERSION, 3, egl::NONE]),
        };
        egl.bind_api(name).map_err(failed("this version of OpenGL is not supported"))?;
        let wanted = [egl::SURFACE_TYPE, egl::PBUFFER_BIT, egl::RENDERABLE_TYPE, bit, egl::NONE];
        let config = egl
            .choose_first_config(display, &wanted)
            .map_err(failed("no configuration"))?
            .ok_or_else(|| format!("EGL has no configuration for {api:?}: {PACKAGES}"))?;
        let context =
            egl.create_context(display, config, None, &attributes).map_err(failed("no context of this version"))?;
        egl.make_current(display, None, None, Some(context)).map_err(failed("the context cannot be used"))?;
        let load = |name: &str| egl.get_proc_address(name).map_or(std::ptr::null(), |function| function as *const _);
        // SAFETY: the context is current, and the loaded functions belong to its API.
        let (gl, renderer) = unsafe {
            let gl = glow::Context::from_loader_function(load);
            let renderer = glow::HasContext::get_parameter_string(&gl, glow::RENDERER);
            let version = glow::HasContext::get_parameter_string(&gl, glow::VERSION);
            (gl, format!("{renderer}, {version}"))
        };
        Ok(Context { display, context, api, gl, renderer })
    }

    pub(super) fn make_current(&self) -> Result<(), String> {
        let egl = egl()?;
        let name = if self.api == Api::Es3 { egl::OPENGL_ES_API } else { egl::OPENGL_API };
        // EGL keeps a separate current context for OpenGL and for OpenGL ES.
        egl.bind_api(name).map_err(|error| error.to_string())?;
        if egl.get_current_context() == Some(self.context) {
            return Ok(());
        }
        let made = egl.make_current(self.display, None, None, Some(self.context));
        made.map_err(|error| format!("EGL: the context cannot be used: {error}"))
    }
}

fn egl() -> Result<&'static Egl, String> {
    static EGL: OnceLock<Result<Egl, String>> = OnceLock::new();
    let load = || {
        // SAFETY: the loaded library is the system's EGL.
        let loaded = unsafe { Egl::load_required() };
        loaded.map_err(|error| format!("libEGL.so.1 cannot be loaded ({error}): {PACKAGES}"))
    };
    EGL.get_or_init(load).as_ref().map_err(String::clone)
}

/// Returns the devices that EGL lists (EGL_EXT_device_enumeration).
fn devices() -> Result<Vec<*mut std::ffi::c_void>, String> {
    type QueryDevices = extern "system" fn(i32, *mut *mut std::ffi::c_void, *mut i32) -> u32;
    let query = egl()?.get_proc_address("eglQueryDevicesEXT").ok_or("EGL lists no devices")?;
    // SAFETY: `QueryDevices` is the type that the extension specifies for the function.
    let query: QueryDevices = unsafe { std::mem::transmute(query) };
    let mut devices = vec![std::ptr::null_mut(); 32];
    let mut count = 0;
    if query(devices.len() as i32, devices.as_mut_ptr(), &raw mut count) != egl::TRUE {
        return Err("EGL lists no devices".into());
    }
    devices.truncate(count.max(0) as usize);
    Ok(devices)
}
