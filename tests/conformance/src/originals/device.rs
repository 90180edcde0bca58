//! A Vulkan device for SPIR-V as it is, with combined image samplers, push constants and transform feedback, which wgpu does not
//! bind.

use std::ffi::CStr;

use ash::vk;

/// A result with the name of the call that failed.
pub type Result<T> = std::result::Result<T, String>;

/// Names the call that failed.
pub fn named<T>(name: &str, result: ash::prelude::VkResult<T>) -> Result<T> {
    result.map_err(|error| format!("{name}: {error}"))
}

/// A device with one queue.
pub struct Device {
    /// The functions of the device.
    pub device: ash::Device,
    /// The functions of transform feedback.
    pub feedback: ash::ext::transform_feedback::Device,
    /// The queue.
    pub queue: vk::Queue,
    /// The pool of command buffers.
    pub pool: vk::CommandPool,
    /// The kind of memory that the host and the device see.
    memory: u32,
    instance: ash::Instance,
    _entry: ash::Entry,
}

impl Device {
    /// Creates a device of Mesa's software driver.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn new() -> Result<Device> {
        crate::witness::switch();
        // SAFETY: the loader is the machine's own, and each call below gets handles that earlier calls returned.
        unsafe {
            let entry = ash::Entry::load().map_err(|error| error.to_string())?;
            let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
            let create = vk::InstanceCreateInfo::default().application_info(&application);
            let instance = named("vkCreateInstance", entry.create_instance(&create, None))?;
            let all = named("vkEnumeratePhysicalDevices", instance.enumerate_physical_devices())?;
            let is_lavapipe = |&&physical: &&vk::PhysicalDevice| {
                let name = instance.get_physical_device_properties(physical).device_name;
                CStr::from_ptr(name.as_ptr()).to_string_lossy().contains("llvmpipe")
            };
            let physical = *all.iter().find(is_lavapipe).ok_or("there is no llvmpipe")?;
            let mut feedback = vk::PhysicalDeviceTransformFeedbackFeaturesEXT::default();
            let mut vulkan13 = vk::PhysicalDeviceVulkan13Features::default();
            let mut vulkan12 = vk::PhysicalDeviceVulkan12Features::default();
            let mut vulkan11 = vk::PhysicalDeviceVulkan11Features::default();
            let mut features = vk::PhysicalDeviceFeatures2::default()
                .push_next(&mut feedback)
                .push_next(&mut vulkan13)
                .push_next(&mut vulkan12)
                .push_next(&mut vulkan11);
            // All features that the device has are switched on.
            instance.get_physical_device_features2(physical, &mut features);
            let priorities = [1.0];
            let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(0).queue_priorities(&priorities)];
            let extensions = [ash::ext::transform_feedback::NAME.as_ptr()];
            let create = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&extensions)
                .push_next(&mut features);
            let device = named("vkCreateDevice", instance.create_device(physical, &create, None))?;
            let types = instance.get_physical_device_memory_properties(physical);
            let seen = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
            let memory = (0..types.memory_type_count)
                .find(|&at| types.memory_types[at as usize].property_flags.contains(seen))
                .ok_or("no memory that the host sees")?;
            let create = vk::CommandPoolCreateInfo::default();
            Ok(Device {
                feedback: ash::ext::transform_feedback::Device::new(&instance, &device),
                queue: device.get_device_queue(0, 0),
                pool: named("vkCreateCommandPool", device.create_command_pool(&create, None))?,
                device,
                memory,
                instance,
                _entry: entry,
            })
        }
    }

    /// Allocates memory.
    ///
    /// # Safety
    /// The caller frees the memory before the device.
    pub unsafe fn allocate(&self, needs: vk::MemoryRequirements) -> Result<vk::DeviceMemory> {
        let create = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(self.memory);
        // SAFETY: the device exists as long as `self`.
        named("vkAllocateMemory", unsafe { self.device.allocate_memory(&create, None) })
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: each run destroys what it creates, and waits for the queue.
        unsafe {
            self.device.destroy_command_pool(self.pool, None);
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}
