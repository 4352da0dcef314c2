import { expect, test } from "vitest";
import { createLocate } from "./locate-backend.ts";

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  "gpu.example.com": ["10.0.0.5", "fd00::5"],
  "api.example.com": ["93.184.215.14"],
  "mixed.example.com": ["10.0.0.5", "93.184.215.14"],
  "api.openai.com": ["10.0.0.5"],
};
const locate = createLocate(async (hostname) => {
  const addresses = ADDRESSES[hostname];
  if (addresses) return addresses;
  throw new Error("not found");
});

test.each([
  ["http://127.0.0.1:8000/v1", "here"],
  ["http://localhost:11434/v1", "here"],
  ["http://[::1]:8000/v1", "here"],
  ["http://192.168.1.7/v1", "here"],
  ["http://100.64.0.9/v1", "here"],
  ["http://[fd12::1]/v1", "here"],
  ["http://gpu.example.com:8000/v1", "here"],
  ["http://93.184.215.14/v1", "elsewhere"],
  ["http://[::ffff:93.184.215.14]/v1", "elsewhere"],
  ["https://api.example.com/v1", "elsewhere"],
  ["https://mixed.example.com/v1", "elsewhere"],
  ["https://unknown.example.com/v1", "elsewhere"],
  ["https://api.openai.com/v1", "elsewhere"],
  ["https://openrouter.ai/api/v1", "elsewhere"],
])("a backend at %s answers %s", async (baseUrl, hosted) => expect(await locate(baseUrl)).toBe(hosted));
