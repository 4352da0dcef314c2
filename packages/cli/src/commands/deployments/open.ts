import type { Command } from "../../command.ts";
import { DEPLOYMENT_ARGUMENT, resolveDeployment } from "./deployment.ts";

/** Opens the page of a deployment in the browser, or prints its URL when there is none. */
export const deploymentsOpen: Command<{ readonly deployment: string; readonly print: boolean }> = {
  name: "deployments open",
  summary: "Open the page of a deployment in the browser",
  arguments: [DEPLOYMENT_ARGUMENT],
  flags: [{ name: "--print", summary: "print the address, and open nothing" }],
  needs: "sign-in",
  examples: ["feather deployments open support-bot"],
  options: ([deployment = ""], flags) => ({ deployment, print: flags.print === true }),
  async run(context, { deployment, print }) {
    const { client, io, openUrl, output, settings } = context;
    const { id } = await resolveDeployment(context, await client(), deployment);
    const address = `${settings().baseUrl}/account/private-cloud/deployments/${encodeURIComponent(id)}`;
    const opened = !print && output.mode === "human" && io.env.browser && (await openUrl(address));
    if (opened) output.info(`Opened ${address}`);
    else output.print(address);
  },
};
