import { describe, expect, test } from "vitest";
import { readSettings } from "../../config/settings.ts";

const NO_FOLDER = "/nonexistent";
const read = (env: Record<string, string>) => readSettings(env, NO_FOLDER).marketplace;
const AWS = {
  FEATHER_MARKETPLACES: "aws",
  FEATHER_AWS_MARKETPLACE_PRODUCTS: "one, two",
  FEATHER_AWS_MARKETPLACE_TOPICS: "arn:aws:sns:us-east-1:123456789012:feather",
};

describe("the settings of marketplaces", () => {
  test("the settings of AWS Marketplace are read as lists, without an access key", () => {
    expect(read(AWS)).toMatchObject({
      marketplaces: ["aws"],
      awsProducts: ["one", "two"],
      awsTopics: ["arn:aws:sns:us-east-1:123456789012:feather"],
      graceHours: 24,
      plans: {},
    });
  });

  test.each(["FEATHER_AWS_MARKETPLACE_PRODUCTS", "FEATHER_AWS_MARKETPLACE_TOPICS"])(
    "AWS Marketplace without %s is refused in words",
    (name) => {
      expect(() => read({ ...AWS, [name]: "" })).toThrow(`FEATHER_MARKETPLACES: aws needs ${name}`);
    },
  );

  test.each([
    "FEATHER_AZURE_MARKETPLACE_OFFERS",
    "FEATHER_AZURE_MARKETPLACE_TENANT_ID",
    "FEATHER_AZURE_MARKETPLACE_CLIENT_ID",
    "FEATHER_AZURE_MARKETPLACE_CLIENT_SECRET",
  ])("Azure Marketplace without %s is refused in words", (name) => {
    const id = "11111111-2222-3333-4444-555555555555";
    const env = {
      ...AWS,
      FEATHER_MARKETPLACES: "aws, azure",
      FEATHER_AZURE_MARKETPLACE_OFFERS: "plans",
      FEATHER_AZURE_MARKETPLACE_TENANT_ID: id,
      FEATHER_AZURE_MARKETPLACE_CLIENT_ID: id,
      FEATHER_AZURE_MARKETPLACE_CLIENT_SECRET: "hush-hush",
    };
    expect(read(env).marketplaces).toEqual(["aws", "azure"]);
    expect(() => read({ ...env, [name]: "" })).toThrow(`FEATHER_MARKETPLACES: azure needs ${name}`);
  });

  test.each([
    "FEATHER_GCP_MARKETPLACE_PROVIDER_ID",
    "FEATHER_GCP_MARKETPLACE_PRODUCTS",
    "FEATHER_GCP_MARKETPLACE_DOMAIN",
    "FEATHER_GCP_MARKETPLACE_KEY",
    "FEATHER_GCP_MARKETPLACE_PUSH_ACCOUNT",
  ])("Google Cloud Marketplace without %s is refused in words", (name) => {
    const env = {
      FEATHER_MARKETPLACES: "gcp",
      FEATHER_GCP_MARKETPLACE_PROVIDER_ID: "DEMO-feather",
      FEATHER_GCP_MARKETPLACE_PRODUCTS: "feather.endpoints.example.cloud.goog",
      FEATHER_GCP_MARKETPLACE_DOMAIN: "feather.example",
      FEATHER_GCP_MARKETPLACE_KEY: '{"type": "service_account"}',
      FEATHER_GCP_MARKETPLACE_PUSH_ACCOUNT: "push@example.iam.gserviceaccount.com",
    };
    expect(read(env).marketplaces).toEqual(["gcp"]);
    expect(() => read({ ...env, [name]: "" })).toThrow(`FEATHER_MARKETPLACES: gcp needs ${name}`);
    expect(() => read({ ...env, FEATHER_GCP_MARKETPLACE_KEY: "hush-hush" })).toThrow(/must be the JSON of a service/);
  });

  test.each([
    ["ebay", /must be off, test, or of these/],
    ["off,aws", /off and test stand alone/],
    ["test,aws", /off and test stand alone/],
  ])("FEATHER_MARKETPLACES=%s is refused in words", (FEATHER_MARKETPLACES, message) => {
    expect(() => read({ ...AWS, FEATHER_MARKETPLACES })).toThrow(message);
  });

  test("half an access key of AWS is refused, and its text is not shown", () => {
    const attempt = () => read({ ...AWS, FEATHER_AWS_MARKETPLACE_SECRET_ACCESS_KEY: "hush-hush" });
    expect(attempt).toThrow(/go together: set both or neither/);
    expect(attempt).not.toThrow(/hush-hush/);
  });

  test("topics that are none are refused in words", () => {
    expect(() => read({ ...AWS, FEATHER_AWS_MARKETPLACE_TOPICS: "my-topic" })).toThrow(/must be ARNs of Amazon SNS/);
  });
});
