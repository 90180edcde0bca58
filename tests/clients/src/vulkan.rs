//! Vulkan 1.0 through `ash`: a device without a window, and the objects that a draw creates on the device.
//!
//! Rule: the client records the objects that a draw creates, and destroys them in reverse order when the draw ends.

mod draw;
mod pipeline;

use std::ffi::CStr;

use ash::vk;

/// A Vulkan device and its only queue.
pub struct Vulkan {
    // The loader must stay loaded because the device's functions are in the loader's library.
    _entry: ash::Entry,
    instance: ash::Instance,
    device: ash::Device,
    queue: vk::Queue,
    memory: vk::PhysicalDeviceMemoryProperties,
    pool: vk::CommandPool,
    name: String,
    limits: vk::PhysicalDeviceLimits,
}

fn failed(what: &'static str) -> impl Fn(vk::Result) -> String {
    move |error| format!("{what}: {error}")
}

impl Vulkan {
    /// Opens a device, preferably a software device, which produces the same results on every machine.
    ///
    /// # Errors
    /// Returns an error if Vulkan is not available or has no device.
    pub fn new() -> Result<Vulkan, String> {
        conformance::witness::switch();
        // SAFETY: the loaded library is Vulkan's loader.
        let entry = unsafe { ash::Entry::load() }.map_err(|error| format!("Vulkan cannot be loaded: {error}"))?;
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_0);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: the created objects live as long as the `Vulkan` value, and are destroyed once.
        unsafe {
            let instance = entry.create_instance(&info, None).map_err(failed("an instance"))?;
            let devices = instance.enumerate_physical_devices().map_err(failed("the devices"))?;
            let described = devices.into_iter().map(|device| (device, instance.get_physical_device_properties(device)));
            let software =
                |(_, about): &(_, vk::PhysicalDeviceProperties)| about.device_type != vk::PhysicalDeviceType::CPU;
            let (physical, about) = described.min_by_key(software).ok_or("Vulkan has no device")?;
            let families = instance.get_physical_device_queue_family_properties(physical);
            let draws = |family: &vk::QueueFamilyProperties| family.queue_flags.contains(vk::QueueFlags::GRAPHICS);
            let family = families.iter().position(draws).ok_or("the device cannot draw")? as u32;
            let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
            let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues);
            let device = instance.create_device(physical, &info, None).map_err(failed("the device"))?;
            let info = vk::CommandPoolCreateInfo::default().queue_family_index(family);
            let pool = device.create_command_pool(&info, None).map_err(failed("a command pool"))?;
            let name = CStr::from_ptr(about.device_name.as_ptr()).to_string_lossy().into_owned();
            Ok(Vulkan {
                queue: device.get_device_queue(family, 0),
                memory: instance.get_physical_device_memory_properties(physical),
                _entry: entry,
                instance,
                device,
                pool,
                name,
                limits: about.limits,
            })
        }
    }

    /// Returns the name that the driver reports for the device.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the device's limit for the push constant range, in bytes.
    pub fn push_constants(&self) -> u32 {
        self.limits.max_push_constants_size
    }
}

impl Drop for Vulkan {
    fn drop(&mut self) {
        // SAFETY: every draw waits for its commands and destroys the objects that it has created.
        unsafe {
            self.device.destroy_command_pool(self.pool, None);
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

type Destroy = Box<dyn FnOnce(&ash::Device)>;

/// The objects that a draw has created, which are destroyed in reverse order when the draw ends.
struct Made<'a> {
    vulkan: &'a Vulkan,
    last_first: Vec<Destroy>,
}

impl Drop for Made<'_> {
    fn drop(&mut self) {
        // SAFETY: the draw has ended, and nothing uses its objects once the queue is idle or the device is lost.
        _ = unsafe { self.vulkan.device.queue_wait_idle(self.vulkan.queue) };
        while let Some(destroy) = self.last_first.pop() {
            destroy(&self.vulkan.device);
        }
    }
}

/// A buffer in host-visible memory.
struct Buffer {
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    size: usize,
}

struct Image {
    image: vk::Image,
    view: vk::ImageView,
}

impl<'a> Made<'a> {
    fn device(&self) -> &'a ash::Device {
        &self.vulkan.device
    }

    fn keep(&mut self, destroy: impl FnOnce(&ash::Device) + 'static) {
        self.last_first.push(Box::new(destroy));
    }

    fn allocate(
        &mut self,
        needs: vk::MemoryRequirements,
        wanted: vk::MemoryPropertyFlags,
    ) -> Result<vk::DeviceMemory, String> {
        let types = self.vulkan.memory.memory_types_as_slice().iter().enumerate();
        let fits = |(number, kind): &(usize, &vk::MemoryType)| {
            needs.memory_type_bits & 1 << number != 0 && kind.property_flags.contains(wanted)
        };
        let (number, _) = types.into_iter().find(fits).ok_or("the device has no such memory")?;
        let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(number as u32);
        // SAFETY: the memory is freed after the objects bound to the memory are destroyed.
        let memory = unsafe { self.device().allocate_memory(&info, None) }.map_err(failed("memory"))?;
        self.keep(move |device| unsafe { device.free_memory(memory, None) });
        Ok(memory)
    }

    fn buffer(&mut self, size: usize, usage: vk::BufferUsageFlags) -> Result<Buffer, String> {
        let info = vk::BufferCreateInfo::default().size(size.max(4) as u64).usage(usage);
        let visible = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        // SAFETY: the buffer is destroyed before its memory is freed.
        unsafe {
            let buffer = self.device().create_buffer(&info, None).map_err(failed("a buffer"))?;
            let memory = self.allocate(self.device().get_buffer_memory_requirements(buffer), visible);
            self.keep(move |device| device.destroy_buffer(buffer, None));
            let memory = memory?;
            self.device().bind_buffer_memory(buffer, memory, 0).map_err(failed("a buffer's memory"))?;
            Ok(Buffer { buffer, memory, size: size.max(4) })
        }
    }

    fn filled(&mut self, bytes: &[u8], usage: vk::BufferUsageFlags) -> Result<vk::Buffer, String> {
        let buffer = self.buffer(bytes.len(), usage)?;
        self.mapped(&buffer, |memory| memory[..bytes.len()].copy_from_slice(bytes))?;
        Ok(buffer.buffer)
    }

    /// Maps a buffer's memory, and passes the buffer's bytes to `with`.
    fn mapped<T>(&self, buffer: &Buffer, with: impl FnOnce(&mut [u8]) -> T) -> Result<T, String> {
        let Buffer { memory, size, .. } = *buffer;
        // SAFETY: the memory is as large as the buffer, is mapped only here, and is not used by the queue while it is mapped.
        unsafe {
            let flags = vk::MemoryMapFlags::empty();
            let start = self.device().map_memory(memory, 0, size as u64, flags).map_err(failed("mapping"))?;
            let result = with(std::slice::from_raw_parts_mut(start.cast(), size));
            self.device().unmap_memory(memory);
            Ok(result)
        }
    }

    fn image(
        &mut self,
        [width, height, levels]: [u32; 3],
        format: vk::Format,
        usage: vk::ImageUsageFlags,
    ) -> Result<Image, String> {
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(format)
            .extent(vk::Extent3D { width, height, depth: 1 })
            .mip_levels(levels)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(usage);
        // SAFETY: the view is destroyed before the image, and the image before its memory is freed.
        unsafe {
            let image = self.device().create_image(&info, None).map_err(failed("an image"))?;
            let needs = self.device().get_image_memory_requirements(image);
            let memory = self.allocate(needs, vk::MemoryPropertyFlags::DEVICE_LOCAL);
            self.keep(move |device| device.destroy_image(image, None));
            self.device().bind_image_memory(image, memory?, 0).map_err(failed("an image's memory"))?;
            let info = vk::ImageViewCreateInfo::default()
                .image(image)
                .view_type(vk::ImageViewType::TYPE_2D)
                .format(format)
                .subresource_range(whole(format, levels));
            let view = self.device().create_image_view(&info, None).map_err(failed("a view"))?;
            self.keep(move |device| device.destroy_image_view(view, None));
            Ok(Image { image, view })
        }
    }
}

/// The format of the depth buffer. Vulkan requires support for either `D32_SFLOAT` or `X8_D24_UNORM_PACK32`; the drivers of the
/// tests support `D32_SFLOAT`.
const DEPTH: vk::Format = vk::Format::D32_SFLOAT;
const COLOUR: vk::Format = vk::Format::R8G8B8A8_UNORM;

fn whole(format: vk::Format, levels: u32) -> vk::ImageSubresourceRange {
    let aspect = if format == DEPTH { vk::ImageAspectFlags::DEPTH } else { vk::ImageAspectFlags::COLOR };
    vk::ImageSubresourceRange {
        aspect_mask: aspect,
        base_mip_level: 0,
        level_count: levels,
        base_array_layer: 0,
        layer_count: 1,
    }
}
