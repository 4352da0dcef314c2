/** Names of the cloud marketplaces, by their id. */
export const MARKETPLACES = {
  aws: "AWS Marketplace",
  azure: "Azure Marketplace",
  gcp: "Google Cloud Marketplace",
} as const;
