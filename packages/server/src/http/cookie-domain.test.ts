import cookie from "@fastify/cookie";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { createSessionCookie } from "../platform/core/http/session-cookie.ts";

const granted = { userId: "usr_1", secret: "ses_1", expiresAt: new Date("2030-01-01T00:00:00Z") };

async function cookiesWith(domain: string | undefined): Promise<string[]> {
  const app = Fastify();
  await app.register(cookie);
  const cookies = createSessionCookie(true, domain);
  app.get("/", (_, reply) => {
    cookies.grant(reply, granted);
    cookies.markImpersonation(reply, granted);
    return "";
  });
  app.get("/stop", (_, reply) => {
    cookies.unmarkImpersonation(reply);
    return "";
  });
  const answers = [await app.inject("/"), await app.inject("/stop")];
  await app.close();
  return answers.flatMap(({ headers }) => headers["set-cookie"] ?? []);
}

test("the impersonation cookie is set and cleared on the given domain, the session cookie never", async () => {
  const cookies = await cookiesWith("feather.example");
  const marks = cookies.filter((line) => line.startsWith("impersonate_as="));
  expect(marks).toHaveLength(2);
  for (const line of marks) expect(line).toContain("Domain=feather.example");
  for (const line of cookies.filter((other) => !marks.includes(other))) expect(line).not.toContain("Domain");
});

test("without a domain all cookies are host-only", async () => {
  for (const line of await cookiesWith(undefined)) expect(line).not.toContain("Domain");
});
