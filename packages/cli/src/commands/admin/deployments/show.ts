import type { AdminDeployment } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { DetailView } from "../../../output/index.ts";
import { createDetailView } from "../../../views/deployment.ts";
import { DEPLOYMENT_FIELDS } from "../../deployments/deployment.ts";

const FIELDS = [...DEPLOYMENT_FIELDS, "organization", "creator"] as const satisfies readonly (keyof AdminDeployment)[];

/** Shows a deployment of any organization. */
export const adminDeploymentsShow: Command<{ readonly id: string }> = {
  name: "admin deployments show",
  summary: "Show a deployment of any organization",
  arguments: [{ name: "<id>", summary: "id of the deployment" }],
  prints: "one",
  fields: FIELDS,
  needs: "admin",
  examples: [
    "feather admin deployments show dep_4fJq",
    "feather admin deployments show dep_4fJq --json state,organization",
  ],
  options: ([id = ""]) => ({ id }),
  async run({ client, now, output, signal }, { id }) {
    const { admin } = await client();
    output.printDetails(createAdminDetailView(now()), await admin.deployments.get(id, { signal }));
  },
};

function createAdminDetailView(now: Date): DetailView<AdminDeployment> {
  const { id, lines } = createDetailView(now);
  return {
    id,
    lines: (deployment) => {
      const { organization, creator } = deployment;
      const ownerLines = [["organization", `${organization.name} (${organization.id})`]] as const;
      const creatorLines = creator === null ? [] : ([["made by", `${creator.name} <${creator.email}>`]] as const);
      return [...lines(deployment), ...ownerLines, ...creatorLines];
    },
  };
}
