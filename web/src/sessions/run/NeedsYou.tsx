import { openGates } from "../../builds/buildStory";
import { GateForm } from "../../builds/GateForm";
import { openQuestions, type Story } from "../sessionStory";
import { QuestionForm } from "./QuestionForm";

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
          <GateForm key={gate.gateId} session={id} gate={gate} />
        ))}
        {questions.map((asked) => (
          <QuestionForm key={asked.questionId} session={id} asked={asked} />
        ))}
      </fieldset>
    </section>
  );
}
