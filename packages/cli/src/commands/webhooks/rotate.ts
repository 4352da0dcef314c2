import type { Command } from "../../command.ts";
import { formatDayTime } from "../../output/time.ts";
import { ENDPOINT_ARGUMENT, resolveEndpointId } from "./endpoint.ts";

/** Creates a new secret for an endpoint. Only the secret goes to stdout, so that it can be piped; it is shown once. */
export const webhooksRotate: Command<{ readonly id: string }> = {
  name: "webhooks rotate",
  summary: "Give a webhook endpoint a new secret and print it",
  description: "For 24 hours events are signed with the old secret too.",
  arguments: [ENDPOINT_ARGUMENT],
  confirms: true,
  prints: "secret",
  needs: "sign-in",
  examples: ["feather webhooks rotate whk_4fJqM1t9 --yes > secret.txt"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, confirm, output, signal } = context;
    const feather = await client();
    const id = await resolveEndpointId(context, feather, given);
    await confirm(async () => {
      const { url } = await feather.webhooks.get(id, { signal });
      return `Give the endpoint at ${url} a new secret? The old one goes on for 24 hours.`;
    });
    const endpoint = await feather.webhooks.rotate(id, { signal });
    const until = endpoint.previous_secret_expires_at;
    const oldSecretNote =
      until === null ? "" : ` Events are signed with the old one too until ${formatDayTime(until)}.`;
    output.printSecret({
      value: endpoint,
      secret: endpoint.secret,
      message: `The endpoint has a new secret, shown this one time.${oldSecretNote}`,
    });
  },
};
