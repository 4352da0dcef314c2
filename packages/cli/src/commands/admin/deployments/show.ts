import type { AdminDeployment, Feather } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Context } from "../../../context.ts";
import type { DetailView } from "../../../output/index.ts";
import { pickItem } from "../../../pick-item.ts";
import { createDetailView, formatState } from "../../../views/deployment.ts";
import { DEPLOYMENT_FIELDS } from "../../deployments/deployment.ts";

const FIELDS = [...DEPLOYMENT_FIELDS, "organization", "creator"] as const satisfies readonly (keyof AdminDeployment)[];

/** How many deployments are offered; typing finds one of them. */
const CHOICES = 100;

/** Shows a deployment of any organization. */
export const adminDeploymentsShow: Command<{ readonly id: string }> = {
  name: "admin deployments show",
  summary: "Show a deployment of any organization",
  arguments: [
    { name: "[id]", summary: "id of the deployment; you are asked at a terminal", values: "admin-deployments" },
  ],
  prints: "one",
  fields: FIELDS,
  needs: "admin",
  examples: [
    "feather admin deployments show dep_4fJq",
    "feather admin deployments show dep_4fJq --json state,organization",
  ],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, now, output, signal } = context;
    const feather = await client();
    const id = given === "" ? await pickAdminDeployment(context, feather) : given;
    output.printDetails(createAdminDetailView(now()), await feather.admin.deployments.get(id, { signal }));
  },
};

/** Lets the person choose one of the latest deployments of all organizations, and returns its id. */
function pickAdminDeployment(context: Context, { admin }: Feather): Promise<string> {
  const { signal } = context;
  return pickItem(context, {
    label: "Deployment",
    alternative: "the deployment's id: feather admin deployments list",
    empty: ["nobody has a deployment", "feather deployments create <name> -m <model>"],
    list: async () => (await admin.deployments.list({ perPage: CHOICES }, { signal })).items,
    toChoice: (deployment) => ({ label: deployment.name, note: formatState(deployment), value: deployment.id }),
  });
}

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
