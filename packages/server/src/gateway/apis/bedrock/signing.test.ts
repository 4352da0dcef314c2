import { describe, expect, test } from "vitest";
import { toListUrls } from "./model-list.ts";
import { readCredentials, readRegion, signRequest } from "./signing.ts";

const KEY = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };

describe("keys for Bedrock", () => {
  test.each([
    ["AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", KEY],
    ["AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY:IQo//b3=", { ...KEY, sessionToken: "IQo//b3=" }],
    ["ABSKQmVkcm9ja0FQSUtleS0xMjM0OmFiYw==", null],
    ["bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t", null],
    [undefined, null],
  ])("%s signs requests only if it has an id and a secret", (apiKey, expected) => {
    expect(readCredentials(apiKey)).toEqual(expected);
  });
});

describe("addresses of Bedrock", () => {
  test.each([
    ["https://bedrock-runtime.eu-central-1.amazonaws.com", "eu-central-1"],
    ["https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com/", "us-gov-west-1"],
    ["https://vpce-1.bedrock-runtime.ap-south-1.vpce.amazonaws.com", "ap-south-1"],
    ["https://bedrock.cn-north-1.amazonaws.com.cn/foundation-models", "cn-north-1"],
    ["http://127.0.0.1:8080/bedrock", "us-east-1"],
  ])("%s is in the region %s", (url, region) => {
    expect(readRegion(url)).toBe(region);
  });

  test("its models are listed at another host, and those behind a proxy at the same", () => {
    expect(toListUrls("https://bedrock-runtime.eu-central-1.amazonaws.com")).toEqual([
      "https://bedrock.eu-central-1.amazonaws.com/foundation-models",
      "https://bedrock.eu-central-1.amazonaws.com/inference-profiles?maxResults=1000",
    ]);
    expect(toListUrls("http://127.0.0.1:8080/aws")[0]).toBe("http://127.0.0.1:8080/aws/foundation-models");
  });
});

test("a signature is for the region of the address, and has the token of a temporary key", async () => {
  const url = "https://bedrock-runtime.eu-central-1.amazonaws.com/model/anthropic.a%3A0/converse";
  const headers = { "content-type": "application/json", "x-request-id": "req_1" };
  const key = { ...KEY, sessionToken: "IQo//b3=" };
  const signed = await signRequest(key, { method: "POST", url, headers, body: "{}" });
  expect(signed.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request, SignedHeaders=content-type;host;/,
  );
  expect(signed).toMatchObject({ "x-amz-security-token": "IQo//b3=", "x-amz-date": expect.any(String) });
});
