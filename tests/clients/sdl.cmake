# SDL is built for drawing without a window: everything that needs a desktop's development files is switched off. The rest is
# chosen by the features of the crate sdl3-sys, in Cargo.toml.
foreach(part X11 WAYLAND KMSDRM OPENGL OPENGLES OPENVR DBUS IBUS LIBUDEV LIBURING FRIBIDI LIBTHAI)
  set(SDL_${part} OFF CACHE BOOL "")
endforeach()
set(SDL_UNIX_CONSOLE_BUILD ON CACHE BOOL "")
set(SDL_TEST_LIBRARY OFF CACHE BOOL "")
# It is linked statically, and nobody steps through it.
set(SDL_SHARED OFF CACHE BOOL "")
set(CMAKE_C_FLAGS_DEBUG "" CACHE STRING "")
