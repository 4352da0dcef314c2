import { expect, test } from "vitest";
import { redactUrl } from "./log.ts";

test.each([
  ["http://x/api/invitations/inv_1/accept", "http://x/api/invitations/***/accept"],
  ["http://x/api/shared-chats/yr3Xq0cB7Kq1", "http://x/api/shared-chats/***"],
  ["http://x/api/y?access_token=a&page=2", "http://x/api/y?access_token=***&page=2"],
  ["http://x/api/y?page=2&code=a#part", "http://x/api/y?page=2&code=***#part"],
  ["http://x/api/models?search=a", "http://x/api/models?search=a"],
])("masks the secrets in %s", (url, shown) => {
  expect(redactUrl(url)).toBe(shown);
});
