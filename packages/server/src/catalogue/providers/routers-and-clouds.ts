import type { Provider } from "./provider.ts";

/** Companies that pass calls on to many hosts, and clouds that have models beside all else. */
export const ROUTERS_AND_CLOUDS: readonly Provider[] = [
  {
    id: "openrouter",
    name: "OpenRouter",
    kind: "router",
    baseUrl: "https://openrouter.ai/api/v1",
    keyUrl: "https://openrouter.ai/settings/keys",
    keyPrefix: "sk-or-",
    pricingUrl: "https://openrouter.ai/models",
    location: "several",
  },
  {
    id: "huggingface",
    name: "Hugging Face Inference",
    kind: "router",
    baseUrl: "https://router.huggingface.co/v1",
    // The token needs the permission to call Inference Providers, which this link chooses.
    keyUrl:
      "https://huggingface.co/settings/tokens/new?ownUserPermissions=inference.serverless.write&tokenType=fineGrained",
    keyPrefix: "hf_",
    pricingUrl: "https://huggingface.co/docs/inference-providers/pricing",
    location: "several",
  },
  {
    id: "azure",
    name: "Azure OpenAI",
    kind: "cloud",
    // Its v1 API, which needs no api-version: https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle
    baseUrl: "https://{resource}.openai.azure.com/openai/v1",
    placeholders: [
      {
        name: "resource",
        description: "The name of your Azure OpenAI or Foundry resource",
        suggestions: ["my-company"],
        pattern: "[A-Za-z0-9][A-Za-z0-9-]{0,62}[A-Za-z0-9]",
      },
    ],
    // It lists the models of the region, while calls name deployments of the account.
    unlistedModels: ["the-name-of-your-deployment"],
    keyUrl: "https://portal.azure.com/#browse/Microsoft.CognitiveServices%2Faccounts",
    pricingUrl: "https://azure.microsoft.com/pricing/details/cognitive-services/openai-service/",
    location: "chosen",
  },
  {
    id: "vertex",
    name: "Google Vertex AI",
    kind: "cloud",
    // The location that is in no region: https://docs.cloud.google.com/vertex-ai/generative-ai/docs/learn/locations
    baseUrl: "https://aiplatform.googleapis.com/v1/projects/{project}/locations/global",
    placeholders: [
      {
        name: "project",
        description: "The id of your Google Cloud project",
        suggestions: ["my-project-123"],
        pattern: "[a-z][a-z0-9-]{4,28}[a-z0-9]",
      },
    ],
    api: "vertex",
    keyUrl: "https://console.cloud.google.com/iam-admin/serviceaccounts",
    pricingUrl: "https://cloud.google.com/vertex-ai/generative-ai/pricing",
    location: "several",
  },
  {
    id: "bedrock",
    name: "AWS Bedrock",
    kind: "cloud",
    // Its API that is compatible with OpenAI's: https://docs.aws.amazon.com/bedrock/latest/userguide/bedrock-mantle.html
    baseUrl: "https://bedrock-mantle.{region}.api.aws/v1",
    placeholders: [
      {
        name: "region",
        description: "The AWS region in which the models run",
        suggestions: ["us-east-1", "eu-central-1", "ap-northeast-1"],
        pattern: "[a-z]{2}(-[a-z]+)+-[0-9]",
      },
    ],
    keyUrl: "https://console.aws.amazon.com/bedrock/home#/api-keys",
    pricingUrl: "https://aws.amazon.com/bedrock/pricing/",
    location: "chosen",
  },
];
