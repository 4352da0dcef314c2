import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, test } from "vitest";
import { assertAddressAvailable } from "./listen.ts";

test("reports a port that is in use, and frees one that is not", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const address = { port, host: "127.0.0.1" };
  await expect(assertAddressAvailable(address)).rejects.toThrow(`Port ${port} is in use`);
  other.close();
  await once(other, "close");
  await assertAddressAvailable(address);
  await assertAddressAvailable(address);
});

test.each([
  ["192.0.2.1", "192.0.2.1 is no address of this machine"],
  ["nowhere.invalid", "FEATHER_HOST=nowhere.invalid is no address"],
])("names the setting when %s cannot be listened on", async (host, message) => {
  await expect(assertAddressAvailable({ port: 0, host })).rejects.toThrow(message);
});
