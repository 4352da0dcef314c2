import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Account } from "../core/db/embedded/account.ts";

/** A way in which llama.cpp uses graphics cards. */
export type GpuType = "cuda" | "vulkan" | "metal";

/** What a process needs to use a graphics card: nodes of devices, and files by which drivers find them. */
export type GpuFiles = {
  devices: readonly string[];
  readable: readonly string[];
  /** Whether the driver reads what the system says about the process that uses it. */
  needsProc: boolean;
};

const NVIDIA_NODES = /^nvidia(?:\d+|ctl|-uvm|-uvm-tools)$/;
const RENDER_NODES = /^renderD\d+$/;
/** Drivers find cards by these; their libraries are among those of the system. Missing ones are skipped. */
const NVIDIA_PATHS = ["/proc/driver/nvidia", "/proc/devices", "/proc/modules"];
const DRM_PATHS = ["/sys/devices", "/sys/dev/char", "/sys/class/drm", "/sys/bus/pci", "/etc/vulkan"];
const OTHERS_MAY_READ_AND_WRITE = 0o006;

/** Returns what a way of using graphics cards needs, below the root folder of the system. */
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

/** Returns an account of engines in the group that may use the devices, if not everybody may. */
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
