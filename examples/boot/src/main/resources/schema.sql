create table orders (book int not null, copies int not null);
