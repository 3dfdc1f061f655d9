import { StatusMark } from "../sessions/StatusMark";
import type { Agent, TeachingCard } from "../sessions/sessionWire";
import type { Mark } from "../sessions/words";

const AGENTS: Record<Agent["status"], [Mark, string]> = {
  idle: ["idle", "free"],
  working: ["running", "at work"],
  waiting: ["waiting", "waits for you"],
  done: ["completed", "finished"],
  error: ["failed", "got stuck"],
};

export function Team({ agents }: { agents: Agent[] }) {
  if (agents.length === 0) return null;
  return (
    <section aria-labelledby="team-title">
      <h2 id="team-title">Team</h2>
      <ul className="team" aria-label="Team">
        {agents.map((agent) => (
          <li key={agent.name}>
            <StatusMark mark={AGENTS[agent.status][0]} />
            <div>
              <b>{agent.name}</b> <span className="soft">{agent.role}</span>
              {agent.persona ? <p className="soft">{agent.persona}</p> : null}
            </div>
            <span className={`standing ${AGENTS[agent.status][0]}`}>{AGENTS[agent.status][1]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The newest first: it belongs to what happens now. */
export function Cards({ cards }: { cards: TeachingCard[] }) {
  if (cards.length === 0) return null;
  return (
    <section aria-labelledby="cards-title">
      <h2 id="cards-title">To learn from it</h2>
      <ul className="cards" aria-label="Cards">
        {cards.toReversed().map((card) => (
          <li key={card.concept}>
            <h3>{card.headline}</h3>
            <p>{card.explanation}</p>
            {card.tell_me_more ? (
              <details>
                <summary>Tell me more</summary>
                <p>{card.tell_me_more}</p>
              </details>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
