import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Account } from "../../../platform/core/db/embedded/account.ts";

/** An API by which llama.cpp uses graphics cards. */
export type GpuType = "cuda" | "vulkan" | "metal";

/** The files that a process needs to use a graphics card: device nodes, and files by which drivers find them. */
export type GpuFiles = {
  devices: readonly string[];
  readable: readonly string[];
  /** Whether the driver reads files of /proc about its own process. */
  needsProc: boolean;
};

const NVIDIA_NODES = /^nvidia(?:\d+|ctl|-uvm|-uvm-tools)$/;
const RENDER_NODES = /^renderD\d+$/;
/** Files by which drivers find cards. Missing ones are skipped. Their libraries are among those of the system. */
const NVIDIA_PATHS = ["/proc/driver/nvidia", "/proc/devices", "/proc/modules"];
const DRM_PATHS = ["/sys/devices", "/sys/dev/char", "/sys/class/drm", "/sys/bus/pci", "/etc/vulkan"];
const OTHERS_MAY_READ_AND_WRITE = 0o006;

/** Returns the files that an API for graphics cards needs, below the root folder of the system. */
export function listGpuFiles(type: GpuType, root = "/"): GpuFiles {
  const list = (folder: string, form: RegExp) => listNames(join(root, folder), form).map((name) => `${folder}/${name}`);
  const nvidia = list("/dev", NVIDIA_NODES);
  switch (type) {
    case "cuda":
      return { devices: nvidia, readable: [...NVIDIA_PATHS, "/sys/devices", "/sys/bus/pci"], needsProc: true };
    case "vulkan":
      return {
        devices: [...list("/dev/dri", RENDER_NODES), ...nvidia],
        readable: nvidia.length > 0 ? [...DRM_PATHS, ...NVIDIA_PATHS] : DRM_PATHS,
        needsProc: nvidia.length > 0,
      };
    case "metal":
      return { devices: [], readable: [], needsProc: false };
  }
}

/** Returns an account for engines in the group that may use the devices. Unchanged if everybody may use them. */
export function withDeviceGroup(account: Account, devices: readonly string[]): Account {
  if (account === undefined) return undefined;
  for (const device of devices) {
    const { mode, gid } = statSync(device);
    const isOpen = (mode & OTHERS_MAY_READ_AND_WRITE) === OTHERS_MAY_READ_AND_WRITE;
    if (!isOpen && gid !== 0) return { ...account, gid };
  }
  return account;
}

function listNames(folder: string, form: RegExp): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => form.test(name))
      .sort();
  } catch {
    return [];
  }
}
