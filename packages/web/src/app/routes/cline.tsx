import { Link } from "react-router-dom";
import { AssistantPage } from "#/features/landing/assistant-page.tsx";

export default function ClinePage() {
  return (
    <AssistantPage
      name="Cline"
      lede="Cline works in your editor and asks a model what to do next. Point it at this server, and it works with any model of the catalogue, on your plan."
      steps={[
        {
          title: "Install Cline",
          text: "In VS Code, open Extensions, search for Cline and install it. In JetBrains it is in the Marketplace.",
        },
        {
          title: "Choose “OpenAI Compatible”",
          text: "Open Cline’s settings with the gear, and take OpenAI Compatible as the API provider. Other providers send calls elsewhere.",
        },
        {
          title: "Fill in four fields",
          text: "Base URL, API key, Model ID and Context window, as they stand at the top of this page. Leave image support off unless the model takes pictures.",
        },
        {
          title: "Ask for something small",
          text: "Try “List the files of this folder and say what each is for”. The answer, its tokens and its units appear under Usage.",
          more: (
            <Link className="link" to="/account/usage">
              Usage
            </Link>
          ),
        },
      ]}
      questions={[
        {
          question: "How many units does Cline take?",
          answer:
            "One request at a time, so as many as the model costs: one, two or four. Plan and Act together never hold more than one request.",
        },
        {
          question: "It stops with “All units are in use”",
          answer:
            "Something else of your organization runs at the same moment. Wait for it, or give that program’s key a share with max_concurrency.",
        },
        {
          question: "It says that the tools are not supported",
          answer:
            "The model’s template has none. Choose one from the list above, whose publishers say that it takes tools.",
        },
        {
          question: "The first answer takes long",
          answer: "A cold model is loaded by the first call. Cline tries again by itself; warm models answer at once.",
        },
      ]}
    />
  );
}
