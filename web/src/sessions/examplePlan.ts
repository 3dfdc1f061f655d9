// A first plan that needs no model: it sets a value, asks, takes a branch and says something.

export const EXAMPLE_PLAN = JSON.stringify(
  {
    skillName: "Plan a picnic",
    steps: [
      { id: "place", type: "set_context", key: "place", value: "under the old oak" },
      {
        id: "weather",
        type: "ask_user",
        header: "Weather",
        question: "What will the sky do on Saturday?",
        options: ["Sunshine", "Rain"],
        storeAs: "weather",
      },
      {
        id: "if-rain",
        type: "branch",
        contextKey: "weather",
        matchValue: "Rain",
        thenSteps: [{ id: "indoors", type: "set_context", key: "place", value: "in the greenhouse" }],
      },
      { id: "invitation", type: "output", template: "{{weather}} on Saturday: we meet {{place}}." },
    ],
  },
  null,
  2,
);
