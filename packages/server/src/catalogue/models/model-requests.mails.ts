import { defineMailTemplate } from "../../platform/mail/index.ts";

/** Tells people that a model they asked for can be called. */
export const modelAvailableMail = defineMailTemplate({
  name: "model_available",
  kind: "model_available",
  group: "organization",
  title: "Requested model runs",
  description: "Sent to people who asked for a model, when it can be called.",
  subject: "{{ model }} runs at {{ product }}",
  text: [
    "You asked for {{ model }}. It can be called now: {{ site }}/models/{{ model }}",
    "",
    "Talk to it: {{ chat_link }}",
  ].join("\n"),
  variables: {
    model: { description: "Id of the model.", sample: "Qwen/Qwen3-8B" },
    chat_link: { description: "Link to a chat with it.", sample: "{{ site }}/chat?model=Qwen%2FQwen3-8B" },
  },
});

/** The templates of mails about requested models. */
export const modelRequestMails = [modelAvailableMail] as const;
