const list = document.getElementById('list');
const count = document.getElementById('count');

list.addEventListener('change', () => {
  const all = list.querySelectorAll('input').length;
  const ticked = list.querySelectorAll('input:checked').length;
  count.textContent = ticked === all ? 'All of it: see you soon!' : `${ticked} of ${all} ticked.`;
});
