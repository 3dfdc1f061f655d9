const star = document.getElementById('star');
const score = document.getElementById('score');
const PACE = 1500; // milliseconds until the star moves on
let points = 0;
let pause = PACE;
let timer = 0;

function move() {
  star.style.left = Math.round(10 + Math.random() * 75) + '%';
  star.style.top = Math.round(35 + Math.random() * 50) + '%';
  clearTimeout(timer);
  timer = setTimeout(move, pause);
}

star.addEventListener('click', () => {
  points += 1;
  pause = Math.max(PACE / 3, PACE - points * 50);
  score.textContent = String(points);
  move();
});

document.addEventListener('keydown', (event) => {
  if (event.key === ' ' && document.activeElement !== star) {
    event.preventDefault();
    star.click();
  }
});

move();
