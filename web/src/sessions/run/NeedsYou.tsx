import { openGates } from "../../builds/buildStory";
import { GateForm } from "../../builds/GateForm";
import { openQuestions, type Story } from "../sessionStory";
import { QuestionForm } from "./QuestionForm";

const cardOf = (id: string) => `card-${id}`;

/** From the place where something is asked to the card on which it is answered. */
export function GoToCard({ id }: { id: string }) {
  const go = () => {
    const card = document.getElementById(cardOf(id));
    card?.scrollIntoView({ block: "nearest" });
    card?.querySelector<HTMLElement>("input, textarea")?.focus({ preventScroll: true });
  };
  return (
    <button type="button" className="link" onClick={go}>
      Go to its card
    </button>
  );
}

/** Everything that waits for a person, with its whole text, above all else. In the past it can be read, not answered. */
export function NeedsYou({ id, story, isPast }: { id: string; story: Story; isPast: boolean }) {
  const gates = openGates(story.build);
  const questions = openQuestions(story);
  if (gates.length + questions.length === 0) return null;
  return (
    <section className="needs-you" aria-labelledby="needs-title">
      <h2 id="needs-title">
        Needs you <span className="needs-count">{gates.length + questions.length}</span>
      </h2>
      <fieldset disabled={isPast}>
        {gates.map((gate) => (
          <div key={gate.gateId} id={cardOf(gate.gateId)}>
            <GateForm session={id} gate={gate} />
          </div>
        ))}
        {questions.map((asked) => (
          <div key={asked.questionId} id={cardOf(asked.questionId)}>
            <QuestionForm session={id} asked={asked} />
          </div>
        ))}
      </fieldset>
    </section>
  );
}
